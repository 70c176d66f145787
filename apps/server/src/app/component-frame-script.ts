/**
 * What runs in the frame of the customers' component before the component does. A text, because its hash is in the
 * policy of the page. It loads the component, shows it with the page and the language that the console names, and turns
 * links to the console's customer-facing pages into messages.
 *
 * Messages to the console: `{ roomkeeper: 'ready' }`, `{ roomkeeper: 'failed' }`, `{ roomkeeper: 'open-room', name }` and
 * `{ roomkeeper: 'open-page', page }`. From the console: `{ roomkeeper: 'refused', why }`, the answer to `open-room`.
 */
export const readComponentFrame = `function ({ url, pages }) {
  const element = 'customer-component'
  const tell = (message) => parent.postMessage(message, '*')
  const asked = new URLSearchParams(location.search)
  document.documentElement.lang = asked.get('lang') ?? 'en'
  customElements.whenDefined(element).then(() => {
    const component = document.createElement(element)
    for (const name of ['page', 'lang']) component.setAttribute(name, asked.get(name) ?? '')
    document.body.append(component)
    tell({ roomkeeper: 'ready' })
  })
  addEventListener('click', (event) => {
    const link = event.composedPath().find((each) => each instanceof HTMLAnchorElement && each.href !== '')
    const to = link === undefined ? null : new URL(link.href)
    const page = pages.find((each) => to !== null && to.host === location.host && to.pathname === new URL(each, location).pathname)
    if (page === undefined) return
    event.preventDefault()
    tell({ roomkeeper: 'open-page', page })
  })
  const script = document.createElement('script')
  script.type = 'module'
  script.src = url
  script.onerror = () => tell({ roomkeeper: 'failed' })
  document.head.append(script)
}`
