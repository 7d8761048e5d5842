/*
 * The age gate (RULE age-gate). A plain script, so that the gate works before the page's own code has loaded.
 * The server decides and remembers; what is stored here only says whether to ask again within 24 hours.
 */
(() => {
  const messages = window.storeMessages;
  const LIFETIME_MS = 24 * 60 * 60 * 1000;
  const gate = () => document.querySelector("dialog.gate");

  const isVerified = () => {
    if (localStorage.getItem("ageVerified") !== "true") return false;
    const age = Date.now() - Date.parse(localStorage.getItem("ageVerifiedDate"));
    if (age >= 0 && age <= LIFETIME_MS) return true;
    localStorage.removeItem("ageVerified");
    localStorage.removeItem("ageVerifiedDate");
    return false;
  };

  const isNeeded = (dialog) =>
    dialog.dataset.mode === "always" || (dialog.dataset.mode === "once-a-day" && !isVerified());

  const update = () => {
    const dialog = gate();
    if (!dialog) return;
    // In this order: whether it can be seen is known only after the page has been laid out.
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

  /* The browser gives the focus back to where it was. A gate that opened with the page took it from nowhere, and the
     browser notices only later that the button which has it is gone. */
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
  document.addEventListener("keydown", (event) => event.key === "Escape" && gate()?.open && event.preventDefault(), true);

  addEventListener("store:gate", update);
  addEventListener("pageshow", update);
  document.readyState === "loading" ? document.addEventListener("DOMContentLoaded", update) : update();
})();
