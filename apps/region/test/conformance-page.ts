/** docs/region/conformance.md: what the conformance kit says of regions. */
import type { Capability } from '@roomkeeper/region-protocol'
import { type CheckOutcome, conformanceChecks } from '@roomkeeper/region-protocol/conformance'
import type { WrongRegion } from './wrong-regions/wrong-region.ts'

export function conformancePage(wrongRegions: (readonly [WrongRegion, CheckOutcome[]])[]): string {
  const losing = wrongRegions.filter(([{ losesData }]) => losesData).length
  const python = countsWithout(lackingInPython)
  return `# What the kit finds

The [conformance kit](README.md#conformance) has ${conformanceChecks.length} checks, and the reference (\`apps/region\`) passes all of them. ${wrongRegions.length} regions that are wrong on purpose (\`apps/region/test/wrong-regions\`) show that it finds mistakes. Each is a proxy before the reference that makes one mistake; ${losing} of them lose or spoil data. Each check catches at least one.

If a check fails for your region, the regions that it catches here may show what the mistake is.

This page is written by \`npm test unit -- apps/region/test/wrong-regions.test.ts -u\`, which fails without \`-u\` when the kit says anything else (\`apps/region/test/conformance.test.ts\` for the first two).

| region | passed | skipped | failed |
|---|---|---|---|
| the reference, \`apps/region\` | ${conformanceChecks.length} | 0 | 0 |
| the region in Python, \`examples/region-python\`, which was written from these pages | ${python.passed} | ${python.skipped} | 0 |
| ${wrongRegions.length} wrong regions (\`apps/region/test/wrong-regions\`), ${losing} of which lose or spoil data | each fails the checks below | | |

## Wrong regions

The last column is what the kit says, with ids, times and digests left out.

| region | what it does | loses data | caught by | the kit says |
|---|---|---|---|---|
${wrongRegions.flatMap(([wrong, outcomes]) => rowsOf(wrong, outcomes)).join('\n')}
`
}

/** What the region in Python does not offer. */
export const lackingInPython: readonly Capability[] = ['jobFile', 'receiveBackup', 'sendBackup']

/** What the kit counts if a region lacks these and is right. */
export function countsWithout(lacking: readonly Capability[]): { passed: number; skipped: number } {
  const skipped = conformanceChecks.filter(({ needs = [] }) => needs.some((each) => lacking.includes(each))).length
  return { passed: conformanceChecks.length - skipped, skipped }
}

function rowsOf({ name, does, losesData, varies, caughtBy }: WrongRegion, outcomes: CheckOutcome[]): string[] {
  const names = Object.keys(caughtBy)
  const inOrder = outcomes.toSorted((one, other) => names.indexOf(one.check.name) - names.indexOf(other.check.name))
  return inOrder.map(({ check, text }, index) => {
    const own = index === 0 ? [`\`${name}\``, inTable(does), losesData ? 'yes' : ''] : ['', '', '']
    const said = varies ? `… ${caughtBy[check.name]} …` : stable(text ?? '')
    return `| ${own.join(' | ')} | [${inTable(check.name)}](${check.page}) | ${asCode(said)} |`
  })
}

const longest = 160

function asCode(text: string): string {
  const characters = [...text]
  const short = characters.length > longest ? `${characters.slice(0, longest).join('')}…` : text
  return `\`${inTable(short.replaceAll('`', "'"))}\``
}

function inTable(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}

/** Without what differs from run to run. */
function stable(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '…')
    .replace(/\b[0-9a-f]{40,}\b/g, '…')
    .replace(/\bcf[0-9a-f]{20}\b/g, '…')
    .replace(/20\d\d-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replace(/("size"|"bytes"):\d+/g, '$1:…')
    .replace(/\d+\.\d{2,}|\b\d{5,}\b/g, '…')
    .replace(/127\.0\.0\.1:\d+/g, '…')
}
