/** Tar files consist of blocks of this size: a header for each file, its bytes and padding, and two empty ones at the end. */
export const BLOCK_BYTES = 512;

/** Where a header has its fields (POSIX.1-1988, ustar). */
export const fields = {
  name: { at: 0, bytes: 100 },
  mode: { at: 100, bytes: 8 },
  owner: { at: 108, bytes: 8 },
  group: { at: 116, bytes: 8 },
  size: { at: 124, bytes: 12 },
  modifiedAt: { at: 136, bytes: 12 },
  checksum: { at: 148, bytes: 8 },
  type: { at: 156, bytes: 1 },
  magic: { at: 257, bytes: 8 },
  prefix: { at: 345, bytes: 155 },
} as const;

export const MAGIC = "ustar\x0000";

interface TarFile {
  /** At most 100 ASCII characters. */
  readonly name: string;
  readonly bytes: number;
  readonly modifiedAtMs: number;
  /** Permissions; for the owner alone if left out. */
  readonly mode?: number;
}

export function tarHeader({ name, bytes, modifiedAtMs, mode = 0o600 }: TarFile): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (field: keyof typeof fields, text: string): void => {
    header.write(text, fields[field].at, fields[field].bytes, "latin1");
  };
  put("name", name);
  put("mode", octal(mode, 8));
  put("owner", octal(0, 8));
  put("group", octal(0, 8));
  put("size", octal(bytes, 12));
  put("modifiedAt", octal(Math.floor(modifiedAtMs / 1000), 12));
  put("type", "0");
  put("magic", MAGIC);
  put("checksum", `${octal(checksumOf(header), 7)}\0 `);
  return header;
}

/** The sum of all bytes, with its own field as spaces. */
export function checksumOf(header: Uint8Array): number {
  const { at, bytes } = fields.checksum;
  let sum = bytes * 0x20;
  for (let index = 0; index < BLOCK_BYTES; index += 1) {
    if (index < at || index >= at + bytes) sum += header[index] ?? 0;
  }
  return sum;
}

export const paddingOf = (bytes: number): number => (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;

/** With a zero byte at its end. */
const octal = (value: number, bytes: number): string => value.toString(8).padStart(bytes - 1, "0");
