/** docs/region/conformance.md: what the conformance kit says of regions. */
import { type CheckOutcome, conformanceChecks } from '@roomkeeper/region-protocol/conformance'
import type { WrongRegion } from './wrong-regions/wrong-region.ts'

export function conformancePage(wrongRegions: [WrongRegion, CheckOutcome[]][]): string {
  const losing = wrongRegions.filter(([{ losesData }]) => losesData).length
  return `# What the kit finds

The [conformance kit](README.md#conformance) is proved by regions that are wrong on purpose: proxies before the reference region, each of which does one thing wrong that an implementer may do, out of haste or to get through. Each is caught, and each check catches at least one. This page is written by \`npm test unit -- apps/region/test/wrong-regions.test.ts -u\`; the test fails when the kit says anything else.

| region | passed | skipped | failed |
|---|---|---|---|
| the reference (\`apps/region\`) | ${conformanceChecks.length} | 0 | 0 |
| ${wrongRegions.length} wrong regions (\`apps/region/test/wrong-regions\`), ${losing} of which lose or spoil data | each fails the checks below | | |

## Wrong regions

The last column is what the kit says, with ids, times and digests left out.

| region | what it does | loses data | caught by | the kit says |
|---|---|---|---|---|
${wrongRegions.flatMap(([wrong, outcomes]) => rowsOf(wrong, outcomes)).join('\n')}
`
}

function rowsOf({ name, does, losesData }: WrongRegion, outcomes: CheckOutcome[]): string[] {
  return outcomes.map(({ check, text }, index) => {
    const own = index === 0 ? [`\`${name}\``, inTable(does), losesData ? 'yes' : ''] : ['', '', '']
    return `| ${own.join(' | ')} | [${inTable(check.name)}](${check.page}) | ${asCode(stable(text ?? ''))} |`
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
    .replace(/\d+\.\d{2,}/g, '…')
    .replace(/127\.0\.0\.1:\d+/g, '…')
}
