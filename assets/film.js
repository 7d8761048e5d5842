/* The landing page's film: after everything else has loaded, without sound, and not for those who asked for less. */
window.storeFilm = (film, button) => {
  const wantsLess = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData;
  if (!film || !button || wantsLess) return undefined;

  const tell = () => {
    button.hidden = false;
    button.dataset.playing = film.paused ? "no" : "yes";
    button.setAttribute("aria-label", film.paused ? "Play film" : "Pause film");
    if (!film.paused) film.dataset.shown = "";
  };
  const toggle = () => (film.paused ? film.play() : film.pause());
  const start = () => {
    film.src = film.canPlayType('video/webm; codecs="vp9"') ? "/hero/hero.webm" : "/hero/hero.mp4";
    film.play().catch(tell);
  };

  for (const name of ["playing", "pause"]) film.addEventListener(name, tell);
  button.addEventListener("click", toggle);
  if (document.readyState === "complete") start();
  else addEventListener("load", start, { once: true });

  return () => {
    for (const name of ["playing", "pause"]) film.removeEventListener(name, tell);
    button.removeEventListener("click", toggle);
    removeEventListener("load", start);
  };
};
