// The files that a module can read: bytes in memory, by their paths. This is the part of WASI that opens and reads them.

const SUCCESS = 0;
const BAD_FILE = 8;
const INVALID = 28;
const NO_FILE = 44;
const NOT_PERMITTED = 63;

const DIRECTORY = 3;
const REGULAR = 4;
const ROOT = 3; // the number of the open folder that all paths start from

export class Files {
  #memory;
  #content = new Map(); // bytes by path
  #open = new Map(); // what is open, by its number

  /** Says which memory the module has. */
  start(memory) {
    this.#memory = memory;
  }

  /** Adds a file. Its folders need not be made. */
  add(path, bytes) {
    this.#content.set(path, bytes);
  }

  /** Removes a file, or a folder with all that is in it, and reports whether there was one. */
  remove(path) {
    const inside = [...this.#content.keys()].filter((name) => name === path || name.startsWith(path + "/"));
    for (const name of inside) this.#content.delete(name);
    return inside.length > 0;
  }

  /** Whether there is a file or a folder of this path. */
  has(path) {
    return this.#find(path) !== undefined;
  }

  /** What a path leads to, undefined when there is nothing. */
  #find(path) {
    const bytes = this.#content.get(path);
    if (bytes) return { type: REGULAR, bytes };
    const folder = path === "" || [...this.#content.keys()].some((name) => name.startsWith(path + "/"));
    return folder ? { type: DIRECTORY, bytes: new Uint8Array() } : undefined;
  }

  /** The path that the module means, without what leads nowhere. */
  #path(at, size) {
    const text = new TextDecoder().decode(new Uint8Array(this.#memory.buffer, at, size));
    return text.split("/").filter((part) => part !== "" && part !== ".").join("/");
  }

  get #view() {
    return new DataView(this.#memory.buffer); // made anew each time, because the memory may have grown
  }

  fd_prestat_get(file, result) {
    if (file !== ROOT) return BAD_FILE;
    this.#view.setUint32(result, 0, true);
    this.#view.setUint32(result + 4, 1, true); // the length of "/"
    return SUCCESS;
  }

  fd_prestat_dir_name(file, result) {
    if (file !== ROOT) return BAD_FILE;
    this.#view.setUint8(result, "/".charCodeAt(0));
    return SUCCESS;
  }

  path_open(folder, _follow, at, size, how, _rights, _inherited, _flags, result) {
    if (folder !== ROOT) return BAD_FILE;
    if (how & ~2) return NOT_PERMITTED; // all but "it must be a folder" would make or change a file
    const found = this.#find(this.#path(at, size));
    if (!found) return NO_FILE;
    let number = ROOT + 1;
    while (this.#open.has(number)) number++;
    this.#open.set(number, { ...found, position: 0 });
    this.#view.setUint32(result, number, true);
    return SUCCESS;
  }

  fd_close(file) {
    return this.#open.delete(file) ? SUCCESS : BAD_FILE;
  }

  path_filestat_get(folder, _follow, at, size, result) {
    if (folder !== ROOT) return BAD_FILE;
    const found = this.#find(this.#path(at, size));
    return found ? this.#describe(found, result) : NO_FILE;
  }

  fd_filestat_get(file, result) {
    const found = this.#open.get(file);
    return found ? this.#describe(found, result) : BAD_FILE;
  }

  #describe({ type, bytes }, result) {
    new Uint8Array(this.#memory.buffer, result, 64).fill(0);
    this.#view.setUint8(result + 16, type);
    this.#view.setBigUint64(result + 24, 1n, true); // links
    this.#view.setBigUint64(result + 32, BigInt(bytes.length), true);
    return SUCCESS;
  }

  fd_fdstat_get(file, result) {
    const found = this.#open.get(file);
    if (!found) return BAD_FILE;
    new Uint8Array(this.#memory.buffer, result, 24).fill(0);
    this.#view.setUint8(result, found.type);
    return SUCCESS;
  }

  fd_fdstat_set_flags(file) {
    return this.#open.has(file) ? SUCCESS : BAD_FILE;
  }

  fd_read(file, vectors, count, result) {
    const found = this.#open.get(file);
    if (!found) return BAD_FILE;
    const done = this.#read(found.bytes, found.position, vectors, count, result);
    found.position += done;
    return SUCCESS;
  }

  fd_pread(file, vectors, count, from, result) {
    const found = this.#open.get(file);
    if (!found) return BAD_FILE;
    this.#read(found.bytes, Number(from), vectors, count, result);
    return SUCCESS;
  }

  /** Reads bytes from a position into some pieces of memory, and returns how many. */
  #read(bytes, from, vectors, count, result) {
    let done = 0;
    for (let i = 0; i < count; i++) {
      const at = this.#view.getUint32(vectors + 8 * i, true);
      const size = this.#view.getUint32(vectors + 8 * i + 4, true);
      const part = bytes.subarray(from + done, from + done + size);
      new Uint8Array(this.#memory.buffer, at, size).set(part);
      done += part.length;
    }
    this.#view.setUint32(result, done, true);
    return done;
  }

  fd_seek(file, offset, whence, result) {
    const found = this.#open.get(file);
    if (!found) return BAD_FILE;
    const from = [0, found.position, found.bytes.length][whence] + Number(offset);
    if (!(from >= 0)) return INVALID;
    found.position = from;
    this.#view.setBigUint64(result, BigInt(from), true);
    return SUCCESS;
  }
}
