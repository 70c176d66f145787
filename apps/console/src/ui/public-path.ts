/**
 * Everything that the console asks for is relative to the `<base>` of index.html, for which the server sets the path of
 * PUBLIC_URL: `.${path}` for a path of the contract.
 */
export const publicPath = () => new URL(document.baseURI).pathname

/** The name of a cookie or storage key, with the path, so that consoles at other paths of the host have their own. */
export function ownName(name: string): string {
  return name + publicPath().slice(0, -1).replaceAll('/', '~')
}
