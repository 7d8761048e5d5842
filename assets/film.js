/* The landing page's film: without sound, and not for users who asked for less motion or data. Fetched once everything
   else has loaded and the page has been painted; after a navigation the page says by an event that it has a film. */
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
