// Loaded into the service before its own code. Simulates a full disk and a clock that jumps, as set by two symbolic links in the folder
// FAULTS_FOLDER: `disk` (bytes left) and `clock` (milliseconds ahead). A link can be read without opening a file.
import { Buffer } from 'node:buffer';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const folder = process.env.FAULTS_FOLDER;
const { readlinkSync } = fs;

function setting(name) {
  try {
    return readlinkSync(join(folder, name));
  } catch {
    return undefined; // no fault
  }
}

/** Bytes written since the disk was set. */
let used = { disk: undefined, bytes: 0 };

/** @returns how many of the wanted bytes can be written */
function room(wanted) {
  const disk = setting('disk');
  if (disk === undefined) return wanted;
  if (used.disk !== disk) used = { disk, bytes: 0 };
  const given = Math.max(0, Math.min(wanted, Number.parseInt(disk, 10) - used.bytes));
  used.bytes += given;
  return given;
}

const noSpace = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), {
    errno: -28,
    code: 'ENOSPC',
    syscall: 'write',
  });

const toBytes = (data, encoding) =>
  typeof data === 'string'
    ? Buffer.from(data, typeof encoding === 'string' ? encoding : 'utf8')
    : Buffer.from(data.buffer, data.byteOffset, data.byteLength);

// Like the kernel: the bytes that fit are written, and the next write fails.
const { write } = fs;
fs.write = (fd, data, ...rest) => {
  const done = rest.pop();
  if (fd <= 2 || setting('disk') === undefined) return write(fd, data, ...rest, done);
  const isText = typeof data === 'string';
  const [offset = 0, length, at] = isText ? [0, undefined, rest[0]] : rest;
  const bytes = isText ? toBytes(data, rest[1]) : toBytes(data).subarray(offset);
  const wanted = length ?? bytes.length;
  const given = room(wanted);
  if (wanted > 0 && given === 0) process.nextTick(done, noSpace());
  else write(fd, bytes, 0, given, at ?? null, done);
};

/** Writes a whole text or buffer, or writes the bytes that fit and fails. */
const whole = (original) =>
  async function (...parameters) {
    if (setting('disk') === undefined) return original.apply(this, parameters);
    const isHandle = this !== undefined && typeof this.fd === 'number';
    const at = isHandle ? 0 : 1;
    const bytes = toBytes(parameters[at], parameters[at + 1]);
    const given = room(bytes.length);
    const some = parameters.with(at, bytes.subarray(0, given));
    await original.apply(this, some);
    if (given < bytes.length) throw noSpace();
  };
for (const name of ['writeFile', 'appendFile']) fs.promises[name] = whole(fs.promises[name]);

const some = await fs.promises.open(process.execPath);
const handle = Object.getPrototypeOf(some);
await some.close();
for (const name of ['writeFile', 'appendFile']) handle[name] = whole(handle[name]);
const handleWrite = handle.write;
handle.write = async function (data, offset, length, position) {
  if (setting('disk') === undefined) {
    return handleWrite.call(this, data, offset, length, position);
  }
  const isText = typeof data === 'string';
  const from = isText ? 0 : (offset ?? 0);
  const bytes = toBytes(data, length).subarray(from);
  const wanted = isText ? bytes.length : (length ?? bytes.length);
  const given = room(wanted);
  if (wanted > 0 && given === 0) throw noSpace();
  return handleWrite.call(this, bytes, 0, given, isText ? offset : position);
};
syncBuiltinESMExports();

const SystemDate = Date;
const now = () => SystemDate.now() + Number(setting('clock') ?? 0);
globalThis.Date = new Proxy(SystemDate, {
  construct: (target, parameters, newTarget) =>
    Reflect.construct(target, parameters.length === 0 ? [now()] : parameters, newTarget),
  apply: () => new SystemDate(now()).toString(),
  get: (target, name, receiver) => (name === 'now' ? now : Reflect.get(target, name, receiver)),
});
