import '@fontsource-variable/inter/index.css'
import '#app/global.css'
import { createRouter, lazyRouteComponent, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { maintenanceAtStart } from '#customers/index.ts'
import { startLanguage } from '#locales/language.ts'
import { routeTree } from '#route-tree.gen.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'

/** Loaded only after a failure. */
const ErrorScreen = lazyRouteComponent(() => import('#app/ErrorScreen.tsx'), 'ErrorScreen')

const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // TanStack Query caches data; the router only decides when to load.
  defaultPreloadStaleTime: 0,
  defaultPendingComponent: FullScreenSpinner,
  defaultErrorComponent: ErrorScreen,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The page to open after signing in. */
    returnTo?: string
  }
}

// The content security policy forbids eval, which zod would try for speed when the first schema is created. This sets
// zod's global configuration directly, because importing zod here would load it with the sign-in page.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

void maintenanceAtStart()
await startLanguage()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root.')
createRoot(root).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
