/** Whether a test shows a requirement: by a mark above it, or because it asserts the text that the requirement wants. */

const longText = 24

/**
 * @typedef {object} Requirement
 * @property {string} id
 * @property {string} [text] what must be so; a test shows it when `// shows: <id>` stands above it
 * @property {string} [says] a text of the specification; a test also shows it when it asserts that text
 * @property {string} [in] where tests of that text are, as an expression that fits their files
 */

/** @returns {import('./read-assertions.mjs').Assertion[] | null} what shows it; null: nothing does */
export function whatShows(test, requirement) {
  const { says } = requirement
  if (test.marks.includes(requirement.id)) return test.assertions
  if (says === undefined || !new RegExp(requirement.in ?? '').test(test.file)) return null
  const found = test.assertions.filter((assertion) => asserts(assertion, says))
  return found.length === 0 ? null : found
}

/** A short text must be the whole of what stands in the test itself: it may mean something else elsewhere. */
function asserts({ texts, farTexts, isOwn }, says) {
  if (says.replace(/\{\w+\}/g, '').length >= longText) {
    const pattern = new RegExp(patternOf(says), 's')
    return [...texts, ...farTexts].some((text) => pattern.test(text))
  }
  const pattern = new RegExp(`^${patternOf(says)}[.:…]?$`, 's')
  return isOwn && [...texts].some((text) => pattern.test(text.trim()))
}

/** Its parts between placeholders, one after the other. */
function patternOf(says) {
  const parts = says.split(/\{\w+\}/).map((part) => part.trim())
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
}
