// In place of @emotion/react: without the prop "css" its `jsx` is the same as React's `createElement`.
import { createElement } from "react";

// A constant, because each use of an import from React, which is CommonJS, is compiled to a longer expression.
export const jsx = createElement;

export const keyframes = () => {
  throw new Error("Emotion is not part of this build.");
};
