/** Generates docs/settings.md from the tables of settings; with `--check`, only checks that it is up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { variables as regionVariables } from '../apps/region/src/settings.ts'
import { settingGroups } from '../apps/server/src/app/settings.ts'

const file = new URL('../docs/settings.md', import.meta.url)
const page = `# Settings

Every setting is an environment variable. A wrong or missing value stops the start with one line that names the variable and what it takes. This page is made from the code by \`npm run settings:page\`.

${Object.entries(settingGroups)
  .map(([name, group]) => section(`## ${name}`, group))
  .join('\n')}
${section('## Region servers', withoutThoseOf(settingGroups.Traces))}
Region servers also read the settings of [traces](#traces).
`

if (!process.argv.includes('--check')) writeFileSync(file, page)
else if (readFileSync(file, 'utf8') !== page) {
  console.error('docs/settings.md is not what the settings say: npm run settings:page writes it anew.')
  process.exit(1)
}

function withoutThoseOf(group) {
  return Object.fromEntries(Object.entries(regionVariables).filter(([name]) => !(name in group)))
}

function section(heading, group) {
  const rows = Object.entries(group).map(
    ([name, setting]) => `| \`${name}\` | ${setting.takes} | ${initialOf(setting)} | ${setting.about} |`,
  )
  return `${heading}\n\n| variable | value | when it is not set | what it does |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function initialOf({ form, unset }) {
  const initial = defaultOf(form)
  if (unset !== undefined || initial === undefined) return unset ?? '–'
  if (typeof initial === 'boolean') return `\`${initial ? 1 : 0}\``
  return `\`${Array.isArray(initial) ? initial.join(',') : initial}\``
}

/** The default before it is transformed. */
function defaultOf(form) {
  if (form.def.type === 'default') return form.def.defaultValue
  return form.def.type === 'pipe' ? defaultOf(form.def.in) : undefined
}
