/* The landing page's film: without sound, not for those who asked for less, and not for members, who see no landing.
   Fetched once everything else has loaded and is on the screen; a page that is come to later says that its film is
   there. */
(() => {
  const isPainted = () => performance.getEntriesByName("first-contentful-paint").length > 0;

  const start = () => {
    const film = document.getElementById("film");
    const button = document.getElementById("film-toggle");
    const wantsLess = matchMedia("(prefers-reduced-motion: reduce)").matches || navigator.connection?.saveData;
    if (document.readyState !== "complete" || !isPainted() || !film?.checkVisibility() || film.src || wantsLess) return;

    const showState = () => {
      button.hidden = false;
      button.dataset.playing = film.paused ? "no" : "yes";
      button.setAttribute("aria-label", film.paused ? "Play film" : "Pause film");
      if (!film.paused) film.dataset.shown = "";
    };

    for (const name of ["playing", "pause"]) film.addEventListener(name, showState);
    button.addEventListener("click", () => (film.paused ? film.play() : film.pause()));
    film.src = film.canPlayType('video/webm; codecs="vp9"') ? "/hero/hero.webm" : "/hero/hero.mp4";
    film.play().catch(showState);
  };

  addEventListener("store:film", start);
  addEventListener("load", start);
  new PerformanceObserver(start).observe({ type: "paint", buffered: true });
})();
