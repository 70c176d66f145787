import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { publicPath } from '#api/cookies.ts'
import { routeTree } from '#route-tree.gen.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'

/** Loaded only after a failure. */
const ErrorScreen = lazyRouteComponent(() => import('#app/ErrorScreen.tsx'), 'ErrorScreen')

/** The router of the whole console, at the address of the window. */
export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: publicPath(),
    defaultPreload: 'intent',
    // TanStack Query caches data; the router only decides when to load.
    defaultPreloadStaleTime: 0,
    defaultPendingComponent: FullScreenSpinner,
    defaultErrorComponent: ErrorScreen,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
  interface HistoryState {
    /** The page to open after signing in. */
    returnTo?: string
  }
}
