/** Whether a test shows a requirement: by a mark above it, or by asserting the required text. */

const longText = 24

/**
 * @typedef {object} Requirement
 * @property {string} id
 * @property {string} [text] what must be true; a test shows it if `// shows: <id>` stands above it
 * @property {string} [says] a text of the specification; a test that asserts that text shows it, too
 * @property {string} [in] a pattern for the files whose tests may assert that text
 */

/** @returns {import('./read-assertions.mjs').Assertion[] | null} the assertions that show it, or null */
export function whatShows(test, requirement) {
  const { says } = requirement
  if (test.marks.includes(requirement.id)) return test.assertions
  if (says === undefined || !new RegExp(requirement.in ?? '').test(test.file)) return null
  const found = test.assertions.filter((assertion) => asserts(assertion, says))
  return found.length === 0 ? null : found
}

/** A short text must be the whole text, asserted in the test itself: elsewhere it may mean something else. */
function asserts({ texts, farTexts, isOwn }, says) {
  if (says.replace(/\{\w+\}/g, '').length >= longText) {
    const pattern = new RegExp(patternOf(says), 's')
    return [...texts, ...farTexts].some((text) => pattern.test(text))
  }
  const pattern = new RegExp(`^${patternOf(says)}[.:…]?$`, 's')
  return isOwn && [...texts].some((text) => pattern.test(text.trim()))
}

/** Matches the parts between placeholders, one after another. */
function patternOf(says) {
  const parts = says.split(/\{\w+\}/).map((part) => part.trim())
  return parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')
}
