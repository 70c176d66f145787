/**
 * What the simulated browser lacks. Nothing is animated, and everything is in sight, or Mantine would hide what it opens.
 * Imported before all else, because modules of the console look for some of it when they are loaded.
 */
import { afterAll, vi } from 'vitest'

// As in index.html.
document.head.append(Object.assign(document.createElement('base'), { href: '/' }))

// What still waits ends with the simulated browser.
const start = setTimeout
const started: ReturnType<typeof setTimeout>[] = []
vi.stubGlobal('setTimeout', (...given: Parameters<typeof setTimeout>) => {
  const timer = start(...given)
  started.push(timer)
  return timer
})
afterAll(() => {
  for (const timer of started) clearTimeout(timer)
})

const listening = { addEventListener: nothing, removeEventListener: nothing }
vi.stubGlobal('matchMedia', (media: string) => ({ media, matches: media.includes('reduced-motion'), ...listening }))
vi.stubGlobal('ResizeObserver', observer())
vi.stubGlobal('IntersectionObserver', observer())
vi.stubGlobal('isSecureContext', true)
Object.defineProperty(document.documentElement, 'clientWidth', { value: 1280 })
Object.defineProperty(document.documentElement, 'clientHeight', { value: 720 })
const place = { x: 10, y: 10, left: 10, top: 10, right: 110, bottom: 30, width: 100, height: 20 }
Element.prototype.getBoundingClientRect = () => ({ ...place, toJSON: nothing })
Element.prototype.scrollIntoView = nothing
Element.prototype.checkVisibility = () => true
HTMLCanvasElement.prototype.getContext = () => null
window.scrollTo = nothing
Object.defineProperty(document, 'fonts', { value: { ...listening, load: async () => [] } })

function observer() {
  return class {
    observe = nothing
    unobserve = nothing
    disconnect = nothing
  }
}

function nothing(): undefined {
  return undefined
}
