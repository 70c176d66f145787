/**
 * The next step where a region refused its stored login. The console makes a link of it. It does not stand with the other
 * texts, because the console loads their 14 kB only for errors.
 */
export const checkRegionLogin = "Check them in the region's settings."
