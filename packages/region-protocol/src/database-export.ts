/**
 * The parts of a database export's (.adb) layout that the console reads:
 * ```
 * header   magic · scrypt cost, salt and password check (35 bytes) · SHA-256 of the header so far (32 bytes)
 * chunks   length (4 bytes, the highest bit is set in the last chunk) · ciphertext · tag (16 bytes)
 * ```
 */
export const databaseExportLayout = {
  magic: 'RKADB\x01',
  headerBytes: 73,
  checksumBytes: 32,
  chunkBytesAtMost: 256 * 1024,
  tagBytes: 16,
  lastFlag: 0x8000_0000,
  /** The cost of scrypt: log2 N, r and p, the three bytes after the magic. We write these values and accept no more. */
  scryptAtMost: [17, 8, 1],
} as const
