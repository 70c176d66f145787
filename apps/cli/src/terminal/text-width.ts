/** How many columns of a terminal a text takes, and texts cut and padded to columns. */

const onlyAscii = /^[\x20-\x7e]*$/
const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u
const withoutWidth = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
/** Asks for the text form, or the coloured form, of the character before. */
const [textForm, emojiForm] = ['\ufe0e', '\ufe0f']
const segmenter = new Intl.Segmenter()

export function textWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += segmentWidth(segment)
  return width
}

function segmentWidth(segment: string): number {
  if (withoutWidth.test(segment)) return 0
  if (segment.includes(emojiForm)) return 2
  if (segment.includes(textForm)) return 1
  return wide.test(segment) ? 2 : 1
}

/** Cut with … if it is wider. */
export function cutTo(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  let cut = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += segmentWidth(segment)
    if (used > width - 1) break
    cut += segment
  }
  return `${cut}…`
}

export function padTo(text: string, width: number, side: 'left' | 'right'): string {
  const gap = ' '.repeat(Math.max(0, width - textWidth(text)))
  return side === 'right' ? gap + text : text + gap
}
