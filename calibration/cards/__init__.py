"""Cards of a household: what is kept of a card that somebody showed; reading them is for `vision.taught`."""

from calibration.cards.file import card_of_file as card_of_file
from calibration.cards.file import file_name_of as file_name_of
from calibration.cards.file import file_of_card as file_of_card
