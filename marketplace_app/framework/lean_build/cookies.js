// In place of universal-cookie, which Reflex needs only for rx.Cookie.
export default class Cookies {
  get() {
    throw new Error("rx.Cookie is not part of this build.");
  }
  set() {
    this.get();
  }
  remove() {
    this.get();
  }
}
