/*
 * The age gate (RULE age-gate). A plain script, so that the gate works before the page's own code has loaded.
 * The server decides and remembers; what is stored here only says when to ask again.
 */
(() => {
  const messages = window.storeMessages;
  const gate = () => document.querySelector("dialog.gate");

  const isVerified = (dialog) => {
    if (localStorage.getItem("ageVerified") !== "true") return false;
    const elapsed = Date.now() - Date.parse(localStorage.getItem("ageVerifiedDate"));
    if (elapsed >= 0 && elapsed <= Number(dialog.dataset.lifetime)) return true;
    localStorage.removeItem("ageVerified");
    localStorage.removeItem("ageVerifiedDate");
    return false;
  };

  const isNeeded = (dialog) =>
    dialog.dataset.mode === "always" || (dialog.dataset.mode === "once-a-day" && !isVerified(dialog));

  const update = () => {
    const dialog = gate();
    if (!dialog) return;
    // isNeeded first: checkVisibility() forces the browser to lay the page out.
    if (isNeeded(dialog) && dialog.parentElement.checkVisibility()) dialog.open || dialog.showModal();
    else dialog.open && dialog.close();
  };

  const showError = (form, sentence) => {
    const field = form.elements.dateOfBirth;
    form.querySelector("[data-error]").textContent = sentence;
    field.setAttribute("aria-invalid", sentence ? "true" : "false");
    if (sentence) field.focus();
  };

  const refuse = (form, { title, text }) => {
    showError(form, text);
    window.storeToast("error", title, text);
  };

  const checkAge = async (dateOfBirth) => {
    const answer = await fetch("/api/verify-age", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ dateOfBirth }),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  };

  const verify = async (form) => {
    const dateOfBirth = form.elements.dateOfBirth.value;
    if (!dateOfBirth) {
      refuse(form, messages.dateRequired);
      return;
    }
    showError(form, "");
    const button = form.querySelector("[type=submit]");
    button.ariaDisabled = "true";
    try {
      const { isValid, message } = await checkAge(dateOfBirth);
      if (isValid) enter();
      else refuse(form, { ...messages.ageRefused, text: message });
    } catch {
      refuse(form, messages.ageCheckFailed);
    } finally {
      button.ariaDisabled = "false";
    }
  };

  /* When a dialog closes, the browser returns the focus to the element that had it before. If the gate opened with
     the page, no element had it, so the heading gets it. The browser may still report the gate's hidden button as
     focused. */
  const goToHeading = () => {
    const heading = document.querySelector("main h1");
    const at = document.activeElement;
    if (!heading || (at !== document.body && !gate().contains(at))) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };

  const enter = () => {
    localStorage.setItem("ageVerified", "true");
    localStorage.setItem("ageVerifiedDate", new Date().toISOString());
    gate().close();
    goToHeading();
    window.storeToast("success", messages.ageVerified.title);
    dispatchEvent(new Event("store:age-verified"));
  };

  document.addEventListener("submit", (event) => {
    if (!event.target.closest("dialog.gate")) return;
    event.preventDefault();
    event.stopPropagation();
    verify(event.target);
  }, true);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-under-age]");
    if (button) location.assign(button.dataset.underAge);
  }, true);

  // `cancel` is Escape: the gate stays. Chrome lets a second Escape pass, so the key itself is caught as well.
  document.addEventListener("cancel", (event) => event.target === gate() && event.preventDefault(), true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && gate()?.open) event.preventDefault();
  }, true);

  addEventListener("store:gate", update);
  addEventListener("pageshow", update);
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", update) : update();
})();
