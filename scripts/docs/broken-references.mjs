/** Finds what a page names but the repository does not have: links, headings, files, npm scripts. */
import { dirname, join } from 'node:path/posix'

const sources = /(?<![\w@/.…-])(?:…\/)?[\w@*.-]+(?:\/[\w@*.-]+)*\.(?:tsx?|mjs|sql|service|spec|md)(?![\w/-])/g

/** @param files the paths of all files of the repository @param read returns the text of a file */
export function brokenReferences(page, files, read) {
  const text = read(page)
  // A block with a name is a file of the page's own: ```js receiver.mjs
  const ownFiles = [...text.matchAll(/^```\w+ ([\w.-]+)$/gm)].map(([, name]) => name)
  const known = new Set([...ownFiles, ...files.flatMap((file) => [file, ...foldersOf(file)])])
  const prose = text.replaceAll(/^```.*?^```/gms, '').replaceAll(/`[^`\n]*`/g, '')
  return [
    ...[...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => brokenLink(target)),
    ...pathsIn(text).map((path) => (exists(path) ? null : `there is no ${path}`)),
    ...[...text.matchAll(/\bnpm run ([\w:-]+)(?: -w ([\w/-]+))?/g)].map(([, ...of]) => brokenScript(...of)),
  ].filter((each) => each !== null)

  function brokenLink(target) {
    if (/^\w+:/.test(target)) return null
    const [path, heading] = target.split('#')
    const file = path === '' ? page : join(dirname(page), path).replace(/\/$/, '')
    if (!known.has(file)) return `the link ${target} leads nowhere`
    if (heading === undefined || headingsOf(read(file)).includes(heading)) return null
    return `the link ${target} names a heading that is not there`
  }

  /** A file is named by its path from the root, or by enough of the path's end to be unambiguous. */
  function exists(path) {
    if (known.has(path)) return true
    const pattern = path.replace('…/', '').split('*').map(RegExp.escape).join('[^/]*')
    const end = new RegExp(`(?:^|/)${pattern}$`)
    return [...known].some((each) => end.test(each))
  }

  function brokenScript(script, folder = '.') {
    const { scripts } = JSON.parse(read(join(folder, 'package.json')))
    return script in scripts ? null : `there is no npm run ${script}`
  }

  function pathsIn(page) {
    // What follows 'such as' is an example and need not exist.
    const stated = page.replaceAll(/such as `[^`]*`/g, '')
    const short = [...stated.matchAll(/`([\w-]+\/)` is `([\w/-]+\/)`/g)]
    const inCode = [...stated.matchAll(/`((?:apps|packages|scripts|docs|deploy|bench|e2e)\/[\w@*./-]*)/g)]
    const named = [...inCode.map(([, path]) => path), ...(stated.replaceAll(/\]\([^)]*\)/g, ']').match(sources) ?? [])]
    return [...new Set(named)].map((path) => {
      const abbreviated = short.find(([, prefix]) => path.startsWith(prefix))
      const whole = abbreviated === undefined ? path : abbreviated[2] + path.slice(abbreviated[1].length)
      return whole.replace(/[/.]+$/, '')
    })
  }
}

function foldersOf(file) {
  const folder = dirname(file)
  return folder === '.' ? [] : [folder, ...foldersOf(folder)]
}

/** Makes anchors of headings as GitHub does. */
function headingsOf(text) {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}
