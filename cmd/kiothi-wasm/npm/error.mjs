// What went wrong, in a form that survives the way between a worker and its page.

export class KiothiError extends Error {
  constructor({ kind, message, reason }) {
    super(message);
    this.name = "KiothiError";
    this.kind = kind;
    if (reason !== undefined) this.reason = reason;
  }

  /** The error as an object that can be posted. */
  static plain(error) {
    if (error instanceof KiothiError) return { kind: error.kind, message: error.message, reason: error.reason };
    return { kind: "failed", message: String(error?.message ?? error) };
  }
}
