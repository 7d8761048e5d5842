/* Runs before the first paint: light or dark, grid or list, and whether the user is signed in (only a hint for
   display; it grants no access). */
(() => {
  /* A browser may refuse storage to a page in another site's frame: then what is stored lasts as long as the page. */
  for (const name of ["localStorage", "sessionStorage"]) {
    try {
      window[name];
    } catch {
      const values = new Map();
      const getItem = (key) => values.get(key) ?? null;
      const setItem = (key, text) => values.set(key, String(text));
      const removeItem = (key) => values.delete(key);
      const clear = () => values.clear();
      Object.defineProperty(window, name, { value: { getItem, setItem, removeItem, clear } });
    }
  }

  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const applyTheme = () => {
    const chosen = localStorage.getItem("theme");
    const isDark = chosen === "dark" || (chosen !== "light" && dark.matches);
    root.dataset.theme = isDark ? "dark" : "light";
  };

  applyTheme();
  dark.addEventListener("change", applyTheme);
  addEventListener("storage", applyTheme);

  root.dataset.view = new URLSearchParams(location.search).get("view") === "list" ? "list" : "grid";
  if (/(?:^|; )signed_in=1(?:;|$)/.test(document.cookie)) root.dataset.signedIn = "";
})();
