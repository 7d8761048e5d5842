/* What is pressed before React has taken a control over would be lost: the last of it is kept, and pressed as soon as it has.
   A button that is off for a while keeps the focus, since it is so by `aria-disabled`: nothing comes of pressing it. */
(() => {
  const CONTROLS = "button, input[type=checkbox], input[type=radio]";
  const OTHERS = "HANDLED ELSEWHERE";
  const PATIENCE_MS = 10_000;
  let early;
  let isDown = false;

  /* React leaves its marks on what it has taken over. Clicks on OTHERS are seen to by other scripts. */
  const isAlive = (control) => Object.keys(control).some((key) => key.startsWith("__react"));
  const controlOf = (event) => event.target.closest?.(CONTROLS);
  const nameOf = (control) => control.getAttribute("aria-label") ?? (control.closest("label") ?? control).textContent;
  const namesakes = (name) => [...document.querySelectorAll(CONTROLS)].filter((each) => nameOf(each) === name);

  const press = () => {
    if (!early) return;
    const control = namesakes(early.name)[early.place];
    if (!isDown && control && isAlive(control)) {
      early = undefined;
      control.click();
    } else if (performance.now() < early.until) requestAnimationFrame(press);
    else early = undefined;
  };

  const keep = (control) => {
    const isWaiting = early !== undefined;
    const name = nameOf(control);
    early = { name, place: namesakes(name).indexOf(control), until: performance.now() + PATIENCE_MS };
    if (!isWaiting) requestAnimationFrame(press);
  };

  /* A finger may come down on what is there now and go up on what took its place: that is no click to the browser. */
  addEventListener("pointerdown", (event) => {
    isDown = true;
    const control = controlOf(event);
    if (control && !isAlive(control) && !control.closest("dialog")) keep(control);
  }, true);
  addEventListener("pointerup", () => {
    isDown = false;
  }, true);
  addEventListener("pointercancel", () => {
    isDown = false;
    early = undefined;
  }, true);
  addEventListener("click", (event) => {
    const control = controlOf(event);
    if (control?.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (!event.isTrusted) return;
    if (control && !isAlive(control) && !control.closest(OTHERS)) {
      event.preventDefault();
      keep(control);
    } else early = undefined;
  }, true);
})();
