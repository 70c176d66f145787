/**
 * Everything that the console asks for is relative to the `<base>` of index.html, for which the server sets the path of
 * PUBLIC_URL: `.${path}` for a path of the contract.
 */
export const publicPath = () => new URL(document.baseURI).pathname

/** The name of a cookie or of what is stored, apart from those of a console at another path of the same host. */
export function ownName(name: string): string {
  return name + publicPath().slice(0, -1).replaceAll('/', '~')
}
