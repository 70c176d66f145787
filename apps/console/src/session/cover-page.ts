/**
 * Hides a whole page without losing anything of it. It keeps its place, its focus and what it was scrolled to; only its
 * address and title are those of the sign-in meanwhile.
 */
import { hidePage } from '#ui/dialog/open-dialogs.ts'

const signInUrl = () => new URL('project/operator', document.baseURI).href

/**
 * Hides everything in the document except toasts. The address changes past the router, which would leave the page; a
 * reload then shows the ordinary sign-in, which returns to the page.
 * @param href the page's address, as the router has it
 * @returns the element for what is shown instead, and a function that ends it
 */
export function coverPage(title: string, href: string): { place: HTMLElement; uncover: () => void } {
  const place = document.createElement('div')
  document.body.append(place)
  const focused = document.activeElement
  const covered = hideAllBut(place)
  const restoreAddress = replaceAddress(href)
  const ownTitle = document.title
  document.title = title
  const uncover = () => {
    restoreAddress()
    if (document.title === title) document.title = ownTitle
    covered.end()
    place.remove()
    if (focused instanceof HTMLElement) focusOnceVisible(focused)
  }
  return { place, uncover }
}

/**
 * Not at once: the sign-in, which has the focus, is still there. And for the length of a transition that an element has
 * it stays hidden, so that it refuses the focus.
 */
function focusOnceVisible(element: HTMLElement, framesLeft = 60): void {
  requestAnimationFrame(() => {
    const isTaken = document.activeElement !== null && document.activeElement !== document.body
    if (isTaken || framesLeft === 0) return
    element.focus({ preventScroll: true })
    focusOnceVisible(element, framesLeft - 1)
  })
}

/** What is added later, such as a dialog, is hidden, too. */
function hideAllBut(place: Element): { end: () => void } {
  const hidden = new Set<Element>()
  const hide = () => {
    for (const element of document.body.children) {
      if (element === place || element.id === 'toasts' || hidden.has(element)) continue
      hidden.add(element)
      element.setAttribute('data-covered', '')
      element.setAttribute('inert', '')
      element.setAttribute('aria-hidden', 'true')
    }
  }
  const observer = new MutationObserver(hide)
  observer.observe(document.body, { childList: true })
  hide()
  const show = hidePage()
  const end = () => {
    observer.disconnect()
    show()
    for (const element of hidden) {
      for (const name of ['data-covered', 'inert', 'aria-hidden']) element.removeAttribute(name)
    }
  }
  return { end }
}

/** @returns a function that puts the page's address back, unless the router has left the page meanwhile */
function replaceAddress(href: string): () => void {
  const own = location.href
  const state: unknown = history.state
  replace({ ...(state as object), returnTo: href, coversPage: true }, signInUrl())
  return () => {
    // An entry of the router, or one that it has replaced, is not marked.
    const { coversPage = false } = (history.state ?? {}) as { coversPage?: boolean }
    if (coversPage && location.href === signInUrl()) replace(state, own)
  }
}

/** The router replaces the method of `history` by its own. */
function replace(state: unknown, url: string): void {
  History.prototype.replaceState.call(history, state, '', url)
}
