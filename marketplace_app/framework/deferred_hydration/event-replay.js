/* A click on a control that React has not hydrated yet would be lost: the last one is recorded, and repeated after
   hydration. Disabled buttons have only `aria-disabled`, so that they keep the focus: clicks on them are ignored here. */
(() => {
  const CONTROLS = "button, input[type=checkbox], input[type=radio]";
  const HANDLED_ELSEWHERE = "HANDLED ELSEWHERE"; // a selector that the build fills in
  const MAX_WAIT_MS = 10_000;
  let pending;
  let isPointerDown = false;

  /* React adds properties to elements that it has hydrated. */
  const isHydrated = (control) => Object.keys(control).some((key) => key.startsWith("__react"));
  const controlOf = (event) => event.target.closest?.(CONTROLS);
  const nameOf = (control) => control.getAttribute("aria-label") ?? (control.closest("label") ?? control).textContent;
  const sameNamed = (name) => [...document.querySelectorAll(CONTROLS)].filter((each) => nameOf(each) === name);

  const press = () => {
    if (!pending) return;
    const control = sameNamed(pending.name)[pending.place];
    if (!isPointerDown && control && isHydrated(control)) {
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
    isPointerDown = true;
    const control = controlOf(event);
    if (control && !isHydrated(control) && !control.closest("dialog")) record(control);
  }, true);
  addEventListener("pointerup", () => {
    isPointerDown = false;
  }, true);
  addEventListener("pointercancel", () => {
    isPointerDown = false;
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
    if (control && !isHydrated(control) && !control.closest(HANDLED_ELSEWHERE)) {
      event.preventDefault();
      record(control);
    } else pending = undefined;
  }, true);
})();
