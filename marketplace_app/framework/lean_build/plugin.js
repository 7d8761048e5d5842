import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ours = (name) => fileURLToPath(new URL(name, import.meta.url));

const PACKAGES = { "@emotion/react": "jsx.js", mergician: "merge.js", "universal-cookie": "cookies.js" };
const FILES = {
  "/engine.io-client/build/esm/transports/index.js": "transports.js",
  "/utils/helpers/upload.js": "upload.js",
};
// Components that Reflex writes for every application are not checked: the store uses none of them.
const CHECKED = /\/(app\/routes|app_components\/marketplace_app|utils\/components)\/.*\.jsx$/;
// Whole modules, for components that the server sends as text; the content security policy forbids them.
const FOR_EVAL = /window\.__reflex = \{[^}]*\};/;
// A direct `eval` keeps the names of everything in its file from being shortened.
const EVAL = /\beval(\?\.)?\(/g;
const NO_EVAL = `
const noEval = () => {
  throw new Error("Code that is sent as text is not part of this build.");
};
`;
// Has the time of the build, and of it only the version is used: each build would have other scripts.
const BUILD_FACTS = "reflex.json";
const OTHER_FACTS = /\breflexEnvironment\b(?!\.version\b| from\b)/;
// Not minified: `web/pwa.py` replaces names in it.
const SERVICE_WORKER = "sw.js";

export default function leanBuild() {
  const patched = ["app/root.jsx", "utils/state.js", BUILD_FACTS];
  const missing = new Set([...Object.values(PACKAGES), ...Object.values(FILES), ...patched]);
  return {
    name: "lean-build",
    enforce: "pre",
    resolveId(source) {
      if (!Object.hasOwn(PACKAGES, source)) return null;
      missing.delete(PACKAGES[source]);
      return ours(PACKAGES[source]);
    },
    load(id) {
      const path = id.split("?")[0].replaceAll("\\", "/");
      if (path.endsWith(`/${BUILD_FACTS}`)) {
        const { version } = JSON.parse(readFileSync(path, "utf8"));
        if (version) missing.delete(BUILD_FACTS);
        return JSON.stringify({ version });
      }
      const file = Object.keys(FILES).find((each) => path.endsWith(each));
      if (!file) return null;
      missing.delete(FILES[file]);
      return readFileSync(ours(FILES[file]), "utf8");
    },
    transform(code, id) {
      const path = id.split("?")[0].replaceAll("\\", "/");
      if (CHECKED.test(path) && /\bcss:/.test(code)) {
        this.error(`${path} has a "css" prop, which needs Emotion. Use classes, or inline_style().`);
      }
      // Otherwise modules of which nothing is used would stay in the bundle for their side effects.
      if (path.includes("/engine.io-client/")) return { code, map: null, moduleSideEffects: false };
      if (path.endsWith("/utils/state.js") && OTHER_FACTS.test(code)) {
        this.error(`${path} uses more of ${BUILD_FACTS} than the version. See docs/upgrading.md.`);
      }
      if (path.endsWith("/utils/state.js") && code.search(EVAL) >= 0) {
        missing.delete("utils/state.js");
        return { code: code.replace(EVAL, "noEval(") + NO_EVAL, map: null };
      }
      if (!path.endsWith("/app/root.jsx") || !FOR_EVAL.test(code)) return null;
      missing.delete("app/root.jsx");
      return { code: code.replace(FOR_EVAL, ""), map: null };
    },
    buildEnd(error) {
      if (!error && this.environment?.name === "client" && missing.size) {
        this.error(`Nothing was replaced by ${[...missing].join(", ")}. See docs/upgrading.md.`);
      }
    },
    async writeBundle({ dir }) {
      if (this.environment.name !== "client") return;
      const { minifySync } = await import("rolldown/utils");
      for (const name of readdirSync(dir)) {
        if (!name.endsWith(".js") || name === SERVICE_WORKER) continue;
        const { code, errors } = minifySync(name, readFileSync(join(dir, name), "utf8"), { module: false });
        if (errors.length) this.error(`${name} could not be minified: ${errors[0].message}`);
        writeFileSync(join(dir, name), code);
      }
    },
  };
}
