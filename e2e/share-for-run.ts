/** Around a run of Playwright: what its workers share. */
export { shareNetworks as default } from '@roomkeeper/dev-env/share-networks'
