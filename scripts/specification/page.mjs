/** Writes and reads docs/specification-coverage.md. */

const mostNamed = 2
const none = '**not shown**'
const later = 'not built yet'

/** @param groups of requirements, each with the tests that show it, the best first */
export function pageOf(groups) {
  const built = groups.filter(({ notBuilt }) => notBuilt === undefined)
  const all = built.flatMap(({ source, requirements }) => requirements.map((each) => ({ ...each, source })))
  const gaps = all.filter(({ shownBy }) => shownBy.length === 0)
  const left = groups.filter((group) => !built.includes(group))
  const leftCount = left.flatMap(({ requirements }) => requirements).length
  return [
    '# What of the specifications which test shows',
    '',
    'Made by `npm run coverage:specification` from [requirements.json](specification/requirements.json), the route table and the tests; not edited by hand. A test shows a requirement when it is marked (`// shows: <id>` above it, which somebody has written who read both), or, for a text of the specifications, when it asserts that text on the screen that the text is for. What only stands in a test or in the product counts for nothing. `npm run coverage:specification -- --explain <id>` tells what the tests of a requirement assert. `npm run check` fails when something that was shown is not any more.',
    '',
    `${all.length} requirements of what is built: ${all.length - gaps.length} shown, ${gaps.length} not. ${leftCount} are not built yet.`,
    '',
    '## Not shown by any test',
    '',
    ...(gaps.length === 0 ? ['Nothing.'] : gaps.map((gap) => `- ${gap.id} (${gap.source}): ${wordsOf(gap)}`)),
    '',
    '## Not built yet',
    '',
    ...left.map(({ source }) => `- ${source}`),
    ...groups.flatMap(tableOf),
    '',
  ].join('\n')
}

/** @returns {Map<string, boolean>} requirements on the page, and whether it says that a test shows them */
export function shownOn(page) {
  const rows = [...page.matchAll(/^\| (\S+) \| .* \| (.*) \|$/gm)]
  return new Map(rows.map(([, id, shownBy]) => [id, shownBy !== none && shownBy !== later]))
}

function tableOf({ source, notBuilt, requirements }) {
  const rows = requirements.map(
    (each) => `| ${each.id} | ${wordsOf(each)} | ${notBuilt === undefined ? testsOf(each) : later} |`,
  )
  return ['', `## ${source}`, '', '| id | requirement | shown by |', '|---|---|---|', ...rows]
}

/** All marked tests, or else the best of those that assert a text. */
function testsOf({ shownBy }) {
  const marked = shownBy.filter(({ isMarked }) => isMarked)
  const named = marked.length > 0 ? marked : shownBy.slice(0, mostNamed)
  return named.map(({ test }) => referenceTo(test)).join('<br>') || none
}

function wordsOf({ says, text }) {
  return (says === undefined ? text : `“${says}”`).replaceAll('|', '\\|')
}

function referenceTo({ file, name }) {
  return `${file}: ${name.replaceAll('|', '\\|').replaceAll('<', '&lt;').replace(/\s+/g, ' ')}`
}
