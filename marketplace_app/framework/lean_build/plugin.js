import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const ours = (name) => fileURLToPath(new URL(name, import.meta.url));

const PACKAGES = { "@emotion/react": "jsx.js", "universal-cookie": "cookies.js" };
const FILES = { "/engine.io-client/build/esm/transports/index.js": "transports.js" };
// Components that Reflex writes for every application are not checked: the store uses none of them.
const CHECKED = /\/(app\/routes|app_components\/marketplace_app|utils\/components)\/.*\.jsx$/;

export default function leanBuild() {
  const missing = new Set([...Object.values(PACKAGES), ...Object.values(FILES)]);
  return {
    name: "lean-build",
    enforce: "pre",
    resolveId(source) {
      if (!Object.hasOwn(PACKAGES, source)) return null;
      missing.delete(PACKAGES[source]);
      return ours(PACKAGES[source]);
    },
    load(id) {
      const file = Object.keys(FILES).find((each) => id.replaceAll("\\", "/").endsWith(each));
      if (!file) return null;
      missing.delete(FILES[file]);
      return readFileSync(ours(FILES[file]), "utf8");
    },
    transform(code, id) {
      if (CHECKED.test(id.replaceAll("\\", "/")) && /\bcss:/.test(code)) {
        this.error(`${id} has a "css" prop, which needs Emotion. Use classes, or inline_style().`);
      }
    },
    buildEnd(error) {
      if (!error && this.environment?.name === "client" && missing.size) {
        this.error(`Nothing was replaced by ${[...missing].join(", ")}. See docs/upgrading.md.`);
      }
    },
  };
}
