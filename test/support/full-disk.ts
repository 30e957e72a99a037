import { open, writeFile, type FileHandle } from 'node:fs/promises';

/** A file system that can run out of space. It then writes a part of the data, and the kernel refuses the rest. */
export class FullDisk {
  isFull = false;

  readonly open: typeof open = async (...parameters) => {
    const file = await open(...parameters);
    const append = file.appendFile.bind(file);
    file.appendFile = async (data, ...rest) => {
      if (!this.isFull) return append(data, ...rest);
      const bytes = Buffer.from(data);
      await append(bytes.subarray(0, bytes.length / 2));
      await refused(bytes);
    };
    return file;
  };

  /** Replaces a file, or leaves it unchanged if the disk is full. */
  readonly write = async (path: string, text: string): Promise<void> => {
    if (this.isFull) await refused(Buffer.from(text));
    else await writeFile(path, text, { mode: 0o600 });
  };
}

/** Fails with ENOSPC, by a write to /dev/full. */
async function refused(bytes: Buffer): Promise<void> {
  const full: FileHandle = await open('/dev/full', 'w');
  try {
    await full.writeFile(bytes);
  } finally {
    await full.close();
  }
}
