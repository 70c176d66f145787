/**
 * Checks that the console's styles name colours, spaces, sizes of text, radii and layers by the tokens of global.css,
 * that components name their spaces, that a width at which a layout changes is one of four, and that each token and each
 * class is used.
 */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { listedFiles } from './listed-files.mjs'
import { root } from './prepare.mjs'

const folder = 'apps/console/src'
const tokens = `${folder}/app/global.css`
/** A phone, a tablet, a window that has no room for labels beside icons, a wide window. */
const widths = [560, 800, 1200, 1580]

const rules = [
  ['a colour', /(?<!&)#[\da-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(|--mantine-(?!color-scheme)/i],
  ['a space', /^(?:padding|margin|scroll-margin|(?:row-|column-)?gap)\b[^:]*:.*\d(?:px|r?em)\b/],
  ['a size of text', /^font(?:-size)?:.*\d(?:px|r?em)\b/],
  ['a radius', /^border(?:-\w+)*-radius:.*\d(?:px|r?em)\b/],
  ['a layer', /^z-index: \d{2,}/],
  ['a part of a library by its class', /:global\(/],
]

/** `mt={8}` of a component of Mantine, which takes `xs` too. */
const rawSpace = /\s(?:[mp][trblxy]?|(?:row|column)?gap|(?:vertical)?spacing)=(?:\{-?[1-9]|"-?[\d.]+(?:px|r?em)?")/i

const texts = new Map(
  listedFiles(folder)
    .filter((file) => /\.(css|tsx?)$/.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const all = [...texts.values()].join('\n')
const found = [...texts].flatMap(([file, text]) => [
  ...(file.endsWith('.css') && file !== tokens ? rawValues(file, text) : []),
  ...(file.endsWith('.tsx') ? rawSpaces(file, text) : []),
  ...otherWidths(file, text),
  ...(file.endsWith('.module.css') ? unusedClasses(file, text) : []),
])
for (const [, name] of texts.get(`${folder}/ui/common.css`).matchAll(/^ {2}\.(rk-[\w-]+) \{/gm))
  if (!new RegExp(`(?<![.-])${name}\\b(?!-)`).test(all)) found.push(`ui/common.css: nothing uses .${name}`)
for (const [, token] of texts.get(tokens).matchAll(/^ {2}(--rk-[\w-]+):/gm))
  if (!all.includes(`var(${token})`)) found.push(`${tokens}: nothing uses ${token}`)

for (const each of found) console.error(each)
console.log(
  `styles in ${[...texts.keys()].filter((file) => file.endsWith('.css')).length} files, ${found.length} problems`,
)
process.exit(found.length > 0 ? 1 : 0)

function rawValues(file, text) {
  return linesOf(text).flatMap(([number, line]) =>
    rules
      .filter(([, pattern]) => pattern.test(line))
      .map(([what]) => `${file}:${number}: ${what} without a token: ${line}`),
  )
}

function rawSpaces(file, text) {
  return linesOf(text)
    .filter(([, line]) => rawSpace.test(` ${line}`))
    .map(([number, line]) => `${file}:${number}: a space without a name: ${line}`)
}

function otherWidths(file, text) {
  return linesOf(text).flatMap(([number, line]) =>
    [...line.matchAll(/\((?:max|min)-width: (\d+)px\)/g)]
      .filter(([, width]) => !widths.includes(Number(width)))
      .map(([width]) => `${file}:${number}: ${width} is none of ${widths.join(', ')} px`),
  )
}

/** A class whose name is computed counts as used if its name is written anywhere in a file that uses the styles. */
function unusedClasses(file, text) {
  const users = [...texts].filter(([user, other]) => user !== file && other.includes(`/${basename(file)}`))
  const names = new Set(
    [...text.replaceAll(/\/\*.*?\*\/|"[^"\n]*"/gs, '').matchAll(/\.([a-z]\w*)(?=[^{};]*\{)/gi)].map(([, name]) => name),
  )
  const used = users.map(([, other]) => other).join('\n')
  return [...names]
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(used))
    .map((name) => `${file}: nothing uses .${name}`)
}

function linesOf(text) {
  return text.split('\n').map((line, index) => [index + 1, line.trim()])
}
