/* The landing page's film: without sound, not for those who asked for less, and not for members, who see no landing.
   The page calls this once everything else has loaded. */
window.storeFilm = (film, button) => {
  const wantsLess = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData;
  if (!film?.checkVisibility() || wantsLess) return undefined;

  const tell = () => {
    button.hidden = false;
    button.dataset.playing = film.paused ? "no" : "yes";
    button.setAttribute("aria-label", film.paused ? "Play film" : "Pause film");
    if (!film.paused) film.dataset.shown = "";
  };
  const toggle = () => (film.paused ? film.play() : film.pause());

  for (const name of ["playing", "pause"]) film.addEventListener(name, tell);
  button.addEventListener("click", toggle);
  film.src = film.canPlayType('video/webm; codecs="vp9"') ? "/hero/hero.webm" : "/hero/hero.mp4";
  film.play().catch(tell);

  return () => {
    for (const name of ["playing", "pause"]) film.removeEventListener(name, tell);
    button.removeEventListener("click", toggle);
  };
};
