// In place of Reflex's own uploads: the store's go over REST (`assets/upload.js`).
export const uploadFiles = () => {
  throw new Error("rx.upload is not part of this build.");
};
