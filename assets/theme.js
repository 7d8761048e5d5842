/* Runs before the first paint: light or dark, grid or list, and whether somebody is signed in (a hint only, it opens
   nothing). */
(() => {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)");

  const paint = () => {
    const chosen = localStorage.getItem("theme");
    const isDark = chosen === "dark" || (chosen !== "light" && dark.matches);
    root.dataset.theme = isDark ? "dark" : "light";
  };

  paint();
  dark.addEventListener("change", paint);
  addEventListener("storage", paint);

  root.dataset.view = new URLSearchParams(location.search).get("view") === "list" ? "list" : "grid";
  if (/(?:^|; )signed_in=1(?:;|$)/.test(document.cookie)) root.dataset.signedIn = "";
})();
