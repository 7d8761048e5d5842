/* A click on a control that React has not hydrated yet would be lost: the last one is recorded and repeated after hydration.
   Buttons are disabled by `aria-disabled`, so that they keep the focus: clicks on them are ignored here. */
(() => {
  const CONTROLS = "button, input[type=checkbox], input[type=radio]";
  const OTHERS = "HANDLED ELSEWHERE";
  const MAX_WAIT_MS = 10_000;
  let pending;
  let isDown = false;

  /* React adds properties to elements that it has hydrated. Clicks on OTHERS are handled by other scripts. */
  const isHydrated = (control) => Object.keys(control).some((key) => key.startsWith("__react"));
  const controlOf = (event) => event.target.closest?.(CONTROLS);
  const nameOf = (control) => control.getAttribute("aria-label") ?? (control.closest("label") ?? control).textContent;
  const sameNamed = (name) => [...document.querySelectorAll(CONTROLS)].filter((each) => nameOf(each) === name);

  const press = () => {
    if (!pending) return;
    const control = sameNamed(pending.name)[pending.place];
    if (!isDown && control && isHydrated(control)) {
      pending = undefined;
      control.click();
    } else if (performance.now() < pending.until) requestAnimationFrame(press);
    else pending = undefined;
  };

  const record = (control) => {
    const isRunning = pending !== undefined;
    const name = nameOf(control);
    pending = { name, place: sameNamed(name).indexOf(control), until: performance.now() + MAX_WAIT_MS };
    if (!isRunning) requestAnimationFrame(press);
  };

  /* If an element is replaced between pointerdown and pointerup, the browser fires no click. */
  addEventListener("pointerdown", (event) => {
    isDown = true;
    const control = controlOf(event);
    if (control && !isHydrated(control) && !control.closest("dialog")) record(control);
  }, true);
  addEventListener("pointerup", () => {
    isDown = false;
  }, true);
  addEventListener("pointercancel", () => {
    isDown = false;
    pending = undefined;
  }, true);
  addEventListener("click", (event) => {
    const control = controlOf(event);
    if (control?.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    if (!event.isTrusted) return;
    if (control && !isHydrated(control) && !control.closest(OTHERS)) {
      event.preventDefault();
      record(control);
    } else pending = undefined;
  }, true);
})();
