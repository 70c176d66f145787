const megabyte = 1024 * 1024
const usual = 32 * megabyte
const most = 128 * megabyte
const partsAtMost = 10_000

/** Of a file of at most so many bytes, parts are no larger than usual. */
export const fitsUsualParts = partsAtMost * usual

/**
 * How large the parts of an upload to a bucket are, in bytes. It has at most 10,000 parts, so the usual ones allow
 * 312 GiB. Some parts are in memory, so they do not grow without end, whatever size a region tells of its file: what has
 * more than 1.2 TiB fails at the part that is one too many.
 * @param size in bytes, of the whole file; 0 if it is not known
 */
export function partBytes(size: number): number {
  return Math.min(most, Math.max(usual, Math.ceil(size / partsAtMost / megabyte) * megabyte))
}
