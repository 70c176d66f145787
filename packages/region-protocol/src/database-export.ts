/**
 * The layout of a database export (.adb), as far as the console reads it:
 * ```
 * header   magic · cost and salt of the password (35 bytes) · SHA-256 of all that (32 bytes)
 * chunks   4 bytes: length, highest bit set on the last · ciphertext · tag (16 bytes)
 * ```
 */
export const databaseExportLayout = {
  magic: 'RKADB\x01',
  headerBytes: 73,
  checksumBytes: 32,
  chunkBytesAtMost: 256 * 1024,
  tagBytes: 16,
  lastFlag: 0x8000_0000,
  /** log2 N, r and p, the three bytes behind the magic: what we write, and the most that is taken. */
  scryptAtMost: [17, 8, 1],
} as const
