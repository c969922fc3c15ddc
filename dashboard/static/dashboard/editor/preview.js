/**
 * The live preview: follows typing, one request at a time, the last good picture until there is a better one.
 */

import { parse } from "./exactjson.js";
import { Refusal, post } from "./requests.js";

const QUIET = 140; // milliseconds without a key press
const LONGEST = 900; // of typing on and on, after which it is drawn all the same
const AGAIN = 3000; // after a failure of the network

/**
 * @typedef {{onDocument: (format: string, file: ArrayBuffer, result: any, structure: number) => Promise<void>, onProblems: (list: any[]) => void,
 *   onVariables: (variables: any[]) => void, onState: (state: "busy"|"fresh"|"stale"|"offline", note: string) => void}} Shown
 */
export class Preview {
  /** @param {string} url @param {import("./store.js").Store} store @param {Shown} shown */
  constructor(url, store, shown) {
    this.url = url;
    this.store = store;
    this.shown = shown;
    this.format = store.doc.formats.includes("pdf") ? "pdf" : (store.doc.formats[0] ?? "pdf");
    /** @type {any} */ this.timer = null;
    this.waitingSince = 0;
    /** @type {AbortController|null} */ this.running = null;
    this.count = 0;
  }

  /** Draw soon: once typing pauses. */
  soon() {
    const now = Date.now();
    this.waitingSince ||= now;
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () => this.now(),
      Math.max(0, Math.min(QUIET, this.waitingSince + LONGEST - now)),
    );
  }

  /** Wait with what was to be drawn soon: the text is about to change. */
  hold() {
    clearTimeout(this.timer);
  }

  /** Draw what is there now; what was being drawn is given up. */
  async now() {
    clearTimeout(this.timer);
    this.waitingSince = 0;
    this.running?.abort();
    const running = (this.running = new AbortController());
    this.shown.onState("busy", "");
    const { structure } = this.store;
    try {
      const response = await post(
        this.url,
        { content: this.store.content(), data: this.store.isMadeUp ? null : this.store.data(), format: this.format },
        running.signal,
      );
      const form = await response.formData();
      const result = parse(String(form.get("result")));
      const file = await /** @type {File} */ (form.get("file")).arrayBuffer();
      if (running !== this.running) return;
      this.shown.onVariables(result.variables);
      this.shown.onProblems([]);
      await this.shown.onDocument(this.format, file, result, structure);
      if (running !== this.running) return;
      this.count += 1;
      this.shown.onState("fresh", `${result.milliseconds} ms`);
    } catch (error) {
      if (running !== this.running || /** @type {any} */ (error).name === "AbortError") return;
      this.failed(error);
    } finally {
      if (running === this.running) this.running = null;
    }
  }

  /** @param {any} error */
  failed(error) {
    if (error instanceof Refusal && error.status === 400) {
      if (error.body.variables) this.shown.onVariables(error.body.variables);
      this.shown.onProblems(error.body.problems ?? [{ field: "", message: error.message }]);
      this.shown.onState("stale", this.count ? "Last good state" : "Nothing to show yet");
    } else if (error instanceof Refusal) {
      const isPassing = error.status === 429 || error.status >= 500;
      const failed = error.status === 429 ? "Waiting a moment" : "The service could not answer: it is tried again";
      this.shown.onState("stale", isPassing ? failed : error.message);
      if (isPassing) this.timer = setTimeout(() => this.now(), Math.max(error.body.wait * 1000, AGAIN));
    } else if (error instanceof TypeError) {
      this.shown.onState("offline", "No connection: it is tried again");
      this.timer = setTimeout(() => this.now(), AGAIN);
    } else {
      throw error;
    }
  }
}
