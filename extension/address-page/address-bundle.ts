// Entry of a bundle of its own, which is loaded when an address is first shown.
import '../editor/translations';

export { addressHtml, addressTitle } from './address-html';
export { AddressPage } from './address-page';
