"""Before a page is hydrated: what the landing page waits for, and which controls of any page work without React."""

AT_FIRST_SIGN = """\
const isFirstVisit =
  !("signedIn" in document.documentElement.dataset) &&
  localStorage.getItem("ageVerified") === null &&
  sessionStorage.getItem("flash") === null &&
  !window.storeToasts &&
  !location.search;
if (isFirstVisit) {
  const signs = ["pointermove", "pointerdown", "wheel", "scroll", "keydown", "input", "click", "store:toast"];
  await new Promise((seen) => signs.forEach((sign) => addEventListener(sign, seen, { capture: true, passive: true })));
  await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
}
"""
"""Whoever has never passed the age gate has nothing to press but the gate, which is no part of React: it is hydrated at
the first sign of a person, while a date of birth is being typed. A message that waits is such a sign too.
"""
WITHOUT_REACT = (
    "dialog, #film-toggle, [data-answer], [data-sign-out], [data-delete-account], [data-copy], [data-download], "
    "[data-upload]"
)
"""Controls that the scripts in `assets/` see to."""
