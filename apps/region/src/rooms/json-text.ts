/**
 * Writes texts as JSON does, from their bytes: a text of megabytes is digested without becoming a string, which would be
 * copied several times. Where nothing has to be escaped, the bytes are handed on as they are.
 */

/** How far is searched at once for what has to be escaped. */
const windowBytes = 16 * 1024
/** A shorter run without escapes is not worth a call of its own. */
const runBytes = 1024
/** How much is escaped byte by byte before another run is looked for. */
const blockBytes = 512
/** \u0000 */
const escapedBytesAtMost = 6

/**
 * Hands on the bytes that `JSON.stringify` gives for the text, without the quotes around it.
 * @param bytes a text in valid UTF-8
 * @param use is called with each piece, which is valid only during the call
 */
export function writeJsonText(bytes: Uint8Array, use: (piece: Uint8Array) => void): void {
  let used = 0
  for (let at = 0; at < bytes.length; ) {
    const windowEnd = Math.min(at + windowBytes, bytes.length)
    const runEnd = endOfRun(bytes, at, windowEnd)
    if (runEnd === windowEnd || runEnd - at >= runBytes) {
      at = runEnd
      continue
    }
    if (used < at) use(bytes.subarray(used, at))
    used = Math.min(at + blockBytes, bytes.length)
    use(escaped(bytes, at, used))
    at = used
  }
  if (used < bytes.length) use(bytes.subarray(used))
}

const quote = 0x22
const backslash = 0x5c
const firstPrintable = 0x20

/** The position of the first byte that JSON escapes, or `to`. */
function endOfRun(bytes: Uint8Array, from: number, to: number): number {
  let end = to
  for (const sign of [quote, backslash]) {
    const found = bytes.subarray(from, end).indexOf(sign)
    if (found !== -1) end = from + found
  }
  return endOfPrintable(bytes, from, end)
}

const wordBytes = 4
const strideWords = 8

/** The position of the first control character, or `to`. Looks at eight words at once. */
function endOfPrintable(bytes: Uint8Array, from: number, to: number): number {
  const aligned = from + ((wordBytes - ((bytes.byteOffset + from) % wordBytes)) % wordBytes)
  for (let at = from; at < Math.min(aligned, to); at += 1) if (byteAt(bytes, at) < firstPrintable) return at
  if (aligned >= to) return to
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + aligned, Math.floor((to - aligned) / wordBytes))
  let stride = 0
  while (stride + strideWords <= words.length && !holdsControl(words, stride)) stride += strideWords
  for (let at = aligned + stride * wordBytes; at < to; at += 1) if (byteAt(bytes, at) < firstPrintable) return at
  return to
}

/** Whether one of the 32 bytes from this word on is below 0x20: subtracting then sets its highest bit. */
function holdsControl(words: Int32Array, at: number): boolean {
  let found = 0
  // Two in a turn: a quarter less time than one.
  for (let index = at; index < at + strideWords; index += 2) {
    const one = words[index] ?? 0
    const two = words[index + 1] ?? 0
    found |= ((one - 0x2020_2020) & ~one) | ((two - 0x2020_2020) & ~two)
  }
  return (found & 0x8080_8080) !== 0
}

const ofBlock = new Uint8Array(blockBytes * escapedBytesAtMost)

/** By byte: 0 if it stays as it is, or else what follows the backslash. */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x80 ? JSON.stringify(String.fromCharCode(byte)).slice(1, -1).charCodeAt(1) || 0 : 0,
)
const hexadecimal = 'u'.charCodeAt(0)

function escaped(bytes: Uint8Array, from: number, to: number): Uint8Array {
  let length = 0
  for (let at = from; at < to; at += 1) {
    const byte = byteAt(bytes, at)
    const letter = byteAt(escapes, byte)
    if (letter === 0) {
      ofBlock[length] = byte
      length += 1
      continue
    }
    ofBlock[length] = backslash
    ofBlock[length + 1] = letter
    length += 2
    if (letter !== hexadecimal) continue
    for (const digit of [0, 0, byte >> 4, byte & 15]) {
      ofBlock[length] = digit + (digit < 10 ? 0x30 : 0x57)
      length += 1
    }
  }
  return ofBlock.subarray(0, length)
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0
}
