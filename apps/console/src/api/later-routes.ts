/** A module of its own, so that it is loaded with the first call that needs it. */
export { routes } from '@roomkeeper/contract'
