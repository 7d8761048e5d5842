// What this does, and what it relies on, is described in __init__.py.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROUTES = "app/routes";
const ROOT = "app/root.jsx";
const CONTEXT = "utils/context.jsx";
const IMPORTED = /from\s*"\$\/([^"]+)"/g;
const STATE_READ = /useStateContext\("([^"]+)"\)/g;
const INITIAL_VALUES = /(export const initialState = )(\{.*\})$/m;
const STORE_CREATION = "useState(() => createStateStore(initialState))";
const KEPT_STORE_CREATION = "useState(() => (liveStore = createStateStore(initialState)))";
const MERGE_CALL = "mergeInitialState(initialState)";
const ADD_INITIAL_STATE = `
let liveStore;
export function addInitialState(values) {
  Object.assign(initialState, values);
  liveStore?.mergeInitialState(values);
}
`;

const captures = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1]);

function statesRead(folder, file, seen = new Set()) {
  const path = [file, `${file}.jsx`].map((name) => join(folder, name)).find(existsSync);
  if (!path?.endsWith(".jsx") || seen.has(path)) return [];
  seen.add(path);
  const code = readFileSync(path, "utf8");
  return [...captures(code, STATE_READ), ...captures(code, IMPORTED).flatMap((next) => statesRead(folder, next, seen))];
}

function readersOf(folder) {
  const files = [ROOT, ...readdirSync(join(folder, ROUTES)).map((name) => `${ROUTES}/${name}`)];
  const readers = new Map();
  for (const file of files) {
    for (const state of new Set(statesRead(folder, file))) {
      readers.set(state, [...(readers.get(state) ?? []), file]);
    }
  }
  return readers;
}

function isOfOneSection(files) {
  return new Set(files.map((file) => file.slice(ROUTES.length).split(".")[0])).size === 1 && !files.includes(ROOT);
}

function withoutValues(code, moved) {
  const kept = code.replace(INITIAL_VALUES, (_all, start, json) => {
    const values = Object.entries(JSON.parse(json)).map(([state, value]) => [state, moved.has(state) ? {} : value]);
    return start + JSON.stringify(Object.fromEntries(values));
  });
  return kept.replace(STORE_CREATION, KEPT_STORE_CREATION) + ADD_INITIAL_STATE;
}

export default function statesOfPages() {
  let folder;
  let values;
  let moved;
  return {
    name: "states-of-pages",
    apply: "build",
    enforce: "pre",
    configResolved({ root }) {
      folder = root.replaceAll("\\", "/");
    },
    buildStart() {
      const code = readFileSync(join(folder, CONTEXT), "utf8");
      if (!INITIAL_VALUES.test(code) || !code.includes(STORE_CREATION) || !code.includes(MERGE_CALL)) {
        this.error(`${CONTEXT} is not written as expected. See docs/upgrading.md.`);
      }
      values = JSON.parse(code.match(INITIAL_VALUES)[2]);
      moved = new Map([...readersOf(folder)].filter(([, files]) => isOfOneSection(files)));
      if (!moved.size) this.error("No page was found that reads a state of its own. See docs/upgrading.md.");
    },
    transform(code, id) {
      const file = id.replaceAll("\\", "/").slice(folder.length + 1);
      if (file === CONTEXT) return { code: withoutValues(code, moved), map: null };
      const own = [...moved].filter(([, files]) => files.includes(file)).map(([state]) => [state, values[state]]);
      if (!own.length) return null;
      const added = `addInitialState(${JSON.stringify(Object.fromEntries(own))});`;
      return { code: `import { addInitialState } from "$/${CONTEXT.slice(0, -4)}";\n${code}\n${added}\n`, map: null };
    },
  };
}
