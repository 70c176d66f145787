/** The embedded component: a script of the provider's that defines the element below. */
import { componentUrl } from './customer-calls.ts'

export const elementName = 'customer-component'
const patienceMilliseconds = 10_000

let loading: Promise<boolean> | null = null

/** @returns whether the element can be shown; false: there is none, or it did not come */
export function loadComponent(): Promise<boolean> {
  loading ??= componentUrl().then((url) => (url === null ? false : loadFrom(url)))
  return loading
}

function loadFrom(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.type = 'module'
    script.src = url
    script.onerror = () => resolve(false)
    setTimeout(() => resolve(false), patienceMilliseconds)
    void customElements.whenDefined(elementName).then(() => resolve(true))
    document.head.append(script)
  })
}
