/** Type of the notebooks of Forklens, and id of the controller that runs their cells, as the manifest declares them. */
export const BOOK_TYPE = 'forklens-book';
