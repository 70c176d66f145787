import { createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { routeTree } from '../route-tree.gen.ts'

/** Loaded only when something failed. */
const ErrorScreen = lazyRouteComponent(() => import('./ErrorScreen.tsx'), 'ErrorScreen')

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  // Data is TanStack Query's business; the router only decides when to load.
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
    /** Where to go after signing in. */
    returnTo?: string
  }
}
