"""Before hydration: what the landing page waits for, and which controls of all pages work without React."""

WAIT_FOR_FIRST_INPUT = """\
const isFirstVisit =
  !("signedIn" in document.documentElement.dataset) &&
  localStorage.getItem("ageVerified") === null &&
  sessionStorage.getItem("flash") === null &&
  !window.storeToasts &&
  !location.search;
if (isFirstVisit) {
  const inputs = ["pointermove", "pointerdown", "wheel", "scroll", "keydown", "input", "click", "store:toast"];
  await new Promise((seen) => inputs.forEach((sign) => addEventListener(sign, seen, { capture: true, passive: true })));
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
}
"""
"""A visitor who has never passed the age gate can use nothing but the gate, which works without React. So the landing
page is hydrated at their first input, while they type a date of birth, or when there is a toast to show.
"""
WITHOUT_REACT = (
    "dialog, #film-toggle, [data-answer], [data-sign-out], [data-delete-account], [data-copy], [data-download], "
    "[data-upload]"
)
"""Controls that the scripts in `assets/` handle."""
